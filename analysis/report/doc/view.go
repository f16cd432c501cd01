package doc

import "moobench/results"

// View projects values onto the columns of a table, with a row for each value. A column's head and what it shows
// of a value stand together: in two lists, one by index, they came apart.
type View[T any] []ColumnOf[T]

// ColumnOf is a column of a View, with the cell that it shows of a value.
type ColumnOf[T any] struct {
	Column
	Cell func(T) Cell
}

// NewColumn makes a column of its head and the cells that it shows.
func NewColumn[T any](head Column, cell func(T) Cell) ColumnOf[T] { return ColumnOf[T]{head, cell} }

// TextColumn is a column of texts, with only a head.
func TextColumn[T any](head string, text func(T) string) ColumnOf[T] {
	return ColumnOf[T]{Column{Head: head}, TextOnly(text)}
}

// NumberColumn is a column of numbers, with only a head.
func NumberColumn[T any](head string, text func(T) string) ColumnOf[T] {
	return ColumnOf[T]{Column{Head: head, Number: true}, TextOnly(text)}
}

// TextOnly makes cells with only a text.
func TextOnly[T any](text func(T) string) func(T) Cell {
	return func(x T) Cell { return Cell{Text: text(x)} }
}

// Heads are the columns without their contents.
func (v View[T]) Heads() []Column {
	return results.Each(v, func(c ColumnOf[T]) Column { return c.Column })
}

// Row is the row of a value.
func (v View[T]) Row(x T) Row {
	return Row{Cells: results.Each(v, func(c ColumnOf[T]) Cell { return c.Cell(x) })}
}

// Table is the table of all values.
func (v View[T]) Table(all []T) *Table {
	return &Table{Columns: v.Heads(), Rows: results.Each(all, v.Row)}
}
