// Command excelize writes the cells of BenchmarkWorkbook with a bare stream of
// excelize and prints how long that took: the baseline of workbooks.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"
)

func main() {
	rows, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	start := time.Now()
	if err := write(rows); err != nil {
		log.Fatal(err)
	}
	took := time.Since(start)
	fmt.Printf("Baseline/excelize/%d\t%d ns/op\n", rows, took.Nanoseconds())
}

func write(rows int) error {
	f := excelize.NewFile()
	stream, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	row := make([]any, 10)
	for i := range rows {
		for c := range row {
			switch {
			case c < 3:
				row[c] = "Customer " + strconv.Itoa(i%977)
			case c == 3:
				row[c] = i
			default:
				row[c] = float64(i*c*10000/7) / 10000 // four decimals
			}
		}
		if err := stream.SetRow("A"+strconv.Itoa(i+1), row); err != nil {
			return err
		}
	}
	if err := stream.Flush(); err != nil {
		return err
	}
	_, err = f.WriteTo(io.Discard)
	return err
}
