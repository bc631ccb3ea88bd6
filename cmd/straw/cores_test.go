package main

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestLinuxCores(t *testing.T) {
	siblings := func(lists ...string) map[string]string {
		m := map[string]string{}
		for cpu, list := range lists {
			m["sys/devices/system/cpu/cpu"+string(rune('0'+cpu))+"/topology/thread_siblings_list"] = list + "\n"
		}
		return m
	}
	for _, tt := range []struct {
		name, allowed string
		siblings      map[string]string
		want          int
	}{
		{"two cores of one thread", "0-1", siblings("0", "1"), 2},
		{"two cores of two threads, halves apart", "0-3", siblings("0,2", "1,3", "0,2", "1,3"), 2},
		{"two cores of two threads, pairs", "0-3", siblings("0-1", "0-1", "2-3", "2-3"), 2},
		{"one thread of each", "0,2", siblings("0-1", "0-1", "2-3", "2-3"), 2},
		{"both threads of one", "2-3", siblings("0-1", "0-1", "2-3", "2-3"), 1},
		{"cores of one and of two threads", "0-2", siblings("0-1", "0-1", "2"), 2},
		{"no topology", "0-1", nil, 0},
		{"no list", "", siblings("0", "1"), 0},
		{"a damaged list", "0-1,x", siblings("0", "1"), 0},
	} {
		files := fstest.MapFS{"proc/self/status": {Data: []byte("Name:\tstraw\nCpus_allowed:\t3\nCpus_allowed_list:\t" + tt.allowed + "\nMems_allowed_list:\t0\n")}}
		for path, data := range tt.siblings {
			files[path] = &fstest.MapFile{Data: []byte(data)}
		}
		if got := linuxCores(files); got != tt.want {
			t.Errorf("%s: %d cores, want %d", tt.name, got, tt.want)
		}
	}
	if got := linuxCores(fstest.MapFS{}); got != 0 {
		t.Errorf("another system: %d cores", got)
	}
	if got := physicalCores(); got < 1 {
		t.Errorf("%d cores here", got)
	}
}

func TestCPUList(t *testing.T) {
	for list, want := range map[string][]int{
		"0": {0}, " 0-2,5\n": {0, 1, 2, 5}, "7,1-1": {7, 1}, "": nil, "2-1": nil, "-1": nil, "0-99999999": nil, "1,": nil,
	} {
		if got := cpuList(list); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", list, got, want)
		}
	}
}
