package store

import (
	"database/sql/driver"
	"fmt"
	"strings"
)

// Lists in statements. PostgreSQL takes each as one argument: the text of a
// statement is the same however long the list is, so that it is parsed once on a
// connection and not anew for almost every list. SQLite takes value by value.

// among is the condition that a column is one of some values.
func among[T int | int64 | string](d *dialect, column string, values []T) (condition string, args []any) {
	if d.arrays {
		return column + " = ANY(?)", []any{values}
	}
	if len(values) == 0 {
		return "1 = 0", nil
	}
	for _, v := range values {
		args = append(args, v)
	}
	return column + " IN (?" + strings.Repeat(", ?", len(values)-1) + ")", args
}

// The types of columns that are given; each may be NULL.
const (
	bigint = "BIGINT"
	plain  = "TEXT"
)

// given is a table v of rows, at least one, whose columns are v.column1, v.column2
// and so on.
func (d *dialect) given(types []string, rows [][]any) (from string, args []any, err error) {
	if d.arrays {
		return givenColumns(types, rows)
	}
	row := "(?" + strings.Repeat(", ?", len(types)-1) + ")"
	for _, r := range rows {
		args = append(args, r...)
	}
	return "(VALUES " + row + strings.Repeat(", "+row, len(rows)-1) + ") AS v", args, nil
}

// givenColumns gives a table column by column.
func givenColumns(types []string, rows [][]any) (from string, args []any, err error) {
	arrays, names := make([]string, len(types)), make([]string, len(types))
	for i, of := range types {
		arrays[i], names[i] = "CAST(? AS "+of+"[])", fmt.Sprintf("column%d", i+1)
		column, err := columnOf(of, rows, i)
		if err != nil {
			return "", nil, err
		}
		args = append(args, column)
	}
	return "UNNEST(" + strings.Join(arrays, ", ") + ") AS v (" + strings.Join(names, ", ") + ")", args, nil
}

func columnOf(of string, rows [][]any, at int) (any, error) {
	numbers, texts := make([]*int64, len(rows)), make([]*string, len(rows))
	for i, row := range rows {
		value, err := driver.DefaultParameterConverter.ConvertValue(row[at])
		if err != nil {
			return nil, err
		}
		number, isNumber := value.(int64)
		text, isText := value.(string)
		switch {
		case of == bigint && isNumber:
			numbers[i] = &number
		case of == plain && isText:
			texts[i] = &text
		case value != nil:
			return nil, fmt.Errorf("column %d of the rows given holds other values than %s", at+1, of)
		}
	}
	if of == bigint {
		return numbers, nil
	}
	return texts, nil
}
