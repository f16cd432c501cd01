package results

import "github.com/parquet-go/parquet-go"

// ordered is a parquet.Group whose columns keep their order; Group sorts them
// by name.
type ordered struct {
	parquet.Group
	names []string
}

// OrderedColumns is the root of a Parquet schema whose columns stand in the
// order of the names, which are those of the group.
func OrderedColumns(names []string, group parquet.Group) parquet.Node { return ordered{group, names} }

// Fields are the columns.
func (o ordered) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}
