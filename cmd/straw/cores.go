package main

import (
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// physicalCores is the number of cores without their second threads, as far as this process may use them: GOMAXPROCS is
// already within its affinity and the quota of its control group.
func physicalCores() int {
	n := runtime.GOMAXPROCS(0)
	cores := 0
	if runtime.GOOS == "linux" {
		cores = linuxCores(os.DirFS("/"))
	}
	if cores == 0 {
		cores = cpuid.CPU.PhysicalCores
	}
	if cores > 0 {
		n = min(n, cores)
	}
	return n
}

// linuxCores counts the cores of the CPUs that the process may run on, by what Linux tells in root's proc and sys; 0 if it
// does not.
func linuxCores(root fs.FS) int {
	status, err := fs.ReadFile(root, "proc/self/status")
	if err != nil {
		return 0
	}
	cores := map[string]bool{} // by the list of a core's threads
	for line := range strings.Lines(string(status)) {
		list, ok := strings.CutPrefix(line, "Cpus_allowed_list:")
		if !ok {
			continue
		}
		for _, cpu := range cpuList(list) {
			threads, err := fs.ReadFile(root, "sys/devices/system/cpu/cpu"+strconv.Itoa(cpu)+"/topology/thread_siblings_list")
			if err != nil {
				return 0
			}
			cores[string(threads)] = true
		}
	}
	return len(cores)
}

// cpuList reads Linux's form of a set of CPUs: 0-3,8,10-11. It is nil if the list is in another form.
func cpuList(list string) []int {
	const most = 1 << 13 // CPUs of any kernel
	var cpus []int
	for part := range strings.SplitSeq(strings.TrimSpace(list), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a < 0 || b < a || b >= most {
			return nil
		}
		for cpu := a; cpu <= b; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
