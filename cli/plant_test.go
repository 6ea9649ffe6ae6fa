package cli

import "offstage/internal/registry"

// plantSource, where a test sets it, is the source of the program under test.
var plantSource func() registry.Source

// plants are the sources of a program that is to show planted secrets, nil for
// any other.
func plants(o SourceOptions) []registry.Named {
	if plantSource == nil || o.Files != "" || o.Demo != "" {
		return nil
	}
	if s := plantSource(); s != nil {
		return []registry.Named{{Name: "plant", Source: s}}
	}
	return nil
}
