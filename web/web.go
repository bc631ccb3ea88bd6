// Package web carries the page: the files of web/dist, made by internal/tools/buildweb, when built with the tag "page".
package web
