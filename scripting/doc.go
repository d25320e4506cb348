// Package scripting runs the JavaScript of report authors. A Call names a
// function as source text and the values it sees; a Result holds what it
// returned. Scripts run in child processes of the same binary with a time and
// a memory limit, so that nothing they do harms the service or the next run.
// The package knows values and functions, nothing of reports.
//
// A program that uses it calls ChildMain first thing in main, and in TestMain.
//
// # How values cross
//
// Numbers that a JavaScript number holds exactly arrive as numbers: safe
// integers, and decimals, which become the nearest double as any JSON number
// does. An integer that a double cannot hold (a 20-digit identifier) arrives
// as a string with its digits, so that === and printing stay right. time.Time
// arrives as Date, objects and arrays as real objects and arrays.
//
// On the way back numbers are int64 or float64, NaN and the infinities are
// null as in JSON, Date is time.Time, BigInt a json.Number, Map an object, Set
// and typed arrays are arrays; toJSON is honoured; functions and symbols are
// left out. A value that contains itself is an error that names the place.
//
// # What scripts see
//
// The arguments of the call by name, both as global names and as parameters
// of the function; Date in the report's time zone; console.log, which is
// captured; Intl.NumberFormat, Intl.DateTimeFormat and toLocaleString over the
// same locale data as text formats. There is no file, network, process, timer
// or module. On Linux a child has none either: before it reads anything it gives
// up files, network and other processes for good, by a filter of system calls
// and, where the kernel has it, Landlock.
package scripting
