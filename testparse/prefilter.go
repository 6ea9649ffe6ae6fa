package testparse

func wanted(string) bool { return true }

func Wanted([]byte) bool { return true }
