package pageserver

import (
	"net"
	"slices"
	"strings"
)

// Known tells whether a Host is this machine: by one of its own names, by a number, or by one of names. A web site can
// make its own host name point to this machine and so have its visitors' browsers ask this server; the Host tells.
func Known(hostPort string, names []string) bool {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host) != nil ||
		slices.ContainsFunc(names, func(name string) bool { return name != "" && host == strings.ToLower(name) })
}
