package priority

import (
	"os"
	"strconv"
)

// threads are those of a process: on Linux each has a priority of its own.
func threads(pid int) []int {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return nil
	}
	list := make([]int, 0, len(tasks))
	for _, task := range tasks {
		if id, err := strconv.Atoi(task.Name()); err == nil {
			list = append(list, id)
		}
	}
	return list
}
