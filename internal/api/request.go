package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"
)

// read reads the JSON body into v. A client has bodyTime to send it.
func (c *call) read(v any) error {
	// A page of another site can post text/plain without asking first; not JSON.
	if kind, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return errMedia
	}
	control := http.NewResponseController(c.w)
	timed := control.SetReadDeadline(time.Now().Add(bodyTime)) == nil
	text, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if err != nil {
		var large *http.MaxBytesError
		var late net.Error
		switch {
		case errors.As(err, &large):
			return errTooLarge
		case errors.As(err, &late) && late.Timeout():
			return errSlow
		}
		return &Error{400, "the body is cut short", typeInvalid, "", "invalid_body"}
	}
	if timed {
		// From now on reading only tells when the client goes away.
		if err := control.SetReadDeadline(time.Time{}); err != nil {
			return err
		}
	}
	return decode(text, v)
}

// decode reads one JSON object.
func decode(text []byte, v any) error {
	if t := bytes.TrimLeft(text, " \t\r\n"); len(t) == 0 || t[0] != '{' {
		return &Error{400, "the body is no JSON object", typeInvalid, "", "invalid_json"}
	}
	err := json.Unmarshal(text, v)
	switch wrong := (*json.UnmarshalTypeError)(nil); {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		field := fieldName(wrong.Field)
		return bad(field, "%s does not fit: %s is needed", wrong.Value, kindOf(wrong))
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{400, "the body is no JSON: " + err.Error(), typeInvalid, "", "invalid_json"}
}

// fieldName is a path in the request without the names of embedded structs, which the decoder puts before it.
func fieldName(path string) string {
	var names []string
	for name := range strings.SplitSeq(path, ".") {
		if name != "sampling" && name != "generation" && name != "conversation" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "body"
	}
	return strings.Join(names, ".")
}

// kindOf says what JSON a field takes.
func kindOf(e *json.UnmarshalTypeError) string {
	switch s := e.Type.String(); {
	case strings.HasPrefix(s, "int"), strings.HasPrefix(s, "uint"):
		return "a whole number"
	case strings.HasPrefix(s, "float"):
		return "a number"
	case s == "bool":
		return "true or false"
	case s == "string":
		return "a text"
	case strings.HasPrefix(s, "[]"):
		return "a list"
	}
	return "an object"
}

// texts reads a text or a list of texts; none where there is nothing.
func texts(param string, raw json.RawMessage) (list []string, err error) {
	if len(raw) == 0 || raw[0] == 'n' {
		return nil, nil
	}
	if raw[0] == '"' {
		list = make([]string, 1)
		err = json.Unmarshal(raw, &list[0])
	} else {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		return nil, bad(param, "a text or a list of texts is needed")
	}
	return list, nil
}

// marshal is v as JSON, without HTML's escapes.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // all that is answered is made of plain values
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// send answers with JSON.
func (c *call) send(status int, text []byte) {
	c.w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(writeTime)) // tests' recorders have none
	c.w.WriteHeader(status)
	_, _ = c.w.Write(text) // who went away does not read it
}

// answer answers with the JSON of v.
func (c *call) answer(v any) error {
	c.send(http.StatusOK, marshal(v))
	return nil
}
