package pageserver

import (
	"strconv"
	"strings"
)

// accepts tells whether Accept-Encoding headers allow a coding: named, or meant by "*", with a weight above 0.
func accepts(headers []string, coding string) bool {
	named, any, hasName := 0.0, 0.0, false
	for _, header := range headers {
		for item := range strings.SplitSeq(header, ",") {
			name, parameters, _ := strings.Cut(item, ";")
			weight := 1.0
			if q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q="); ok {
				var err error
				if weight, err = strconv.ParseFloat(q, 64); err != nil {
					weight = 0
				}
			}
			switch name = strings.ToLower(strings.TrimSpace(name)); name {
			case coding:
				named, hasName = weight, true
			case "*":
				any = weight
			}
		}
	}
	if hasName {
		return named > 0
	}
	return any > 0
}
