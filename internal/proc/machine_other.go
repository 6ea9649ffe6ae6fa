//go:build !linux && !darwin

package proc

import "offstage/internal/world"

func machineOf(*world.World) Machine { return Machine{} }

// ControlGroup: there are none here.
func ControlGroup(*world.World, int) string { return "" }
