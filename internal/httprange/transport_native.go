//go:build !js

package httprange

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

const noContentRange = "it has no Content-Range; download the file and open it from the disk"

// netTransport sends requests by net/http, one hop each.
type netTransport struct{ client *http.Client }

// client is shared by all file systems, for its connections.
var client = &http.Client{
	Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   8,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   15 * time.Second,
		ResponseHeaderTimeout: time.Minute,
	},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func newTransport() transport { return netTransport{client} }

func (t netTransport) get(ctx context.Context, address string, header map[string]string) (*response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &unreachable{reason: "the address cannot be asked for", cause: err}
	}
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "straw")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	r, err := t.client.Do(request)
	if err != nil {
		return nil, explain(err)
	}
	return &response{status: r.StatusCode, header: r.Header.Get, url: address, body: r.Body}, nil
}

// explain leaves out the address, which net/http's error repeats with all its secrets. What a person must put right
// is not tried again.
func explain(err error) error {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	u := &unreachable{reason: "no answer (" + err.Error() + ")", again: true, cause: err}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		u.reason, u.again = "there is no server of the name "+dns.Name, dns.IsTemporary
		if !dns.IsNotFound {
			u.reason = "the name " + dns.Name + " cannot be looked up; is this machine online?"
		}
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		u.reason, u.again = "the server does not accept connections; check its name and port", false
	}
	if cert, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		u.reason, u.again = "the server cannot prove who it is ("+cert.Err.Error()+")", false
	}
	if record, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		u.reason, u.again = "the server does not speak https ("+record.Msg+")", false
	}
	return u
}
