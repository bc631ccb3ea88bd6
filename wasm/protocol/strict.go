package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// decode reads a JSON object into the struct that dst points to, and is stricter than encoding/json: names must agree exactly, members without
// omitempty must be there, null is no value, and an error names its member.
func decode(text []byte, dst any) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return &Error{Message: "a message must be a JSON object"}
	}
	v := reflect.ValueOf(dst).Elem()
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		raw, ok := members[name]
		delete(members, name)
		if !ok && options == "omitempty" {
			continue
		}
		if !ok {
			return &Error{Field: name, Message: name + " is missing"}
		}
		if bytes.Equal(raw, []byte("null")) {
			return &Error{Field: name, Message: name + " must not be null"}
		}
		if err := json.Unmarshal(raw, v.Field(i).Addr().Interface()); err != nil {
			return inMember(name, v.Field(i).Type(), err)
		}
	}
	for name := range members {
		return unknown(name)
	}
	return nil
}

// inMember says which member an error is in. A nested message has named its own already.
func inMember(name string, want reflect.Type, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Field: name, Message: fmt.Sprintf("%s must be %s", name, words(want))}
}

// words names a type as the page's author knows it.
func words(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return words(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list, each " + words(t.Elem())
	case reflect.Struct:
		return "an object"
	case reflect.Uint64:
		return "a whole number, not negative"
	}
	return "a whole number"
}
