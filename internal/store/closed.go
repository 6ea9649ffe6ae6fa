package store

import (
	"context"
	"database/sql/driver"
)

// closed is a database that is not there: each question gets errClosed.
type closed struct{}

// Connect never connects.
func (closed) Connect(context.Context) (driver.Conn, error) { return nil, errClosed }

// Driver is the same nothing.
func (closed) Driver() driver.Driver { return closed{} }

// Open never opens.
func (closed) Open(string) (driver.Conn, error) { return nil, errClosed }
