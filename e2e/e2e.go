// Package e2e tests the page and straw.js in a real Chromium. The tests need the build tag e2e, a web/dist that `make page` left, and a Chromium on the PATH;
// `make test-page` sees to all three.
package e2e
