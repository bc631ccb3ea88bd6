package chat

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// vars reads the variables of a test.
func vars(t testing.TB, text string) *Dict {
	t.Helper()
	v, err := DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.(*Dict)
}

func TestErrors(t *testing.T) {
	for src, want := range map[string]string{
		"{{ 1 }}\n{{ 'é' ~ nope.x }}":                 "line 2, column 15: 'nope' is undefined",
		"{% for x in 5 %}{% endfor %}":                "line 1, column 1: 'int' object is not iterable",
		"a\n {% if x %}":                              "line 2, column 12: unexpected end of template: {% endif %} is missing",
		"{{ x | nope }}":                              "line 1, column 8: there is no filter named 'nope'",
		"{{ x is nope }}":                             "line 1, column 9: there is no test named 'nope'",
		"{{ raise_exception('no\nsystem') }}":         "line 1, column 19: no\nsystem",
		"{{ (1] }}":                                   "line 1, column 6: unexpected ']', expected ')'",
		"{{ 'abc }}":                                  "line 1, column 4: the string has no end: ' is missing",
		"{% include 'other' %}":                       "line 1, column 1: {% include %}: there are no other templates",
		"{{ [].append(1) }}":                          "line 1, column 13: access to attribute 'append' of 'list' object is unsafe.",
		"{{ 9223372036854775807 + 1 }}":               "line 1, column 24: an integer is too large to reckon with",
		"{{ 'x' | replace('x') }}":                    "line 1, column 10: replace() is missing the argument 'new'",
		"{% endif %}":                                 "line 1, column 4: {% endif %} has nothing to end",
		"{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}": "line 1, column 35: macro 'f' takes not more than 1 argument(s)",
	} {
		_, err := renderText(src, nil, Options{})
		var e *Error
		if !errors.As(err, &e) || err.Error() != "chat template, "+want {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

// TestHostile: templates that would hang, fill the memory or overflow the stack end in an error within 100 MB; -v shows
// the time each takes.
func TestHostile(t *testing.T) {
	for name, src := range map[string]string{
		"endless macro":        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
		"two macros":           "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}",
		"endless caller":       "{% macro f() %}{% call f() %}{% endcall %}{{ caller() }}{% endmacro %}{{ f() }}",
		"recursive loop":       "{% set l = [1] %}{% for x in l recursive %}{{ loop(l) }}{% endfor %}",
		"doubling string":      "{% set n = namespace(s='x') %}{% for i in range(100) %}{% set n.s = n.s + n.s %}{% endfor %}",
		"doubling by ~":        "{% set n = namespace(s='x') %}{% for i in range(100) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
		"doubling list":        "{% set n = namespace(s=[1]) %}{% for i in range(100) %}{% set n.s = n.s + n.s %}{% endfor %}",
		"doubling structure":   "{% set n = namespace(s=[1]) %}{% for i in range(100) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s }}",
		"equal structures":     "{% set n = namespace(s=[1], t=[1]) %}{% for i in range(100) %}{% set n.s = [n.s, n.s] %}{% set n.t = [n.t, n.t] %}{% endfor %}{{ n.s == n.t }}",
		"doubling tojson":      "{% set n = namespace(s=[1]) %}{% for i in range(100) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s | tojson }}",
		"deep structure":       "{% set n = namespace(s=[1]) %}{% for i in range(100000) %}{% set n.s = [n.s] %}{% endfor %}{{ n.s }}",
		"deep comparison":      "{% set n = namespace(s=[1], t=[1]) %}{% for i in range(100000) %}{% set n.s = [n.s] %}{% set n.t = [n.t] %}{% endfor %}{{ n.s == n.t }}",
		"deep key":             "{% set n = namespace(s=(1,)) %}{% for i in range(100000) %}{% set n.s = (n.s,) %}{% endfor %}{{ {n.s: 1} }}",
		"self-reference":       "{% set n = namespace() %}{% set n.n = n %}{{ n }}",
		"range":                "{% for x in range(300000000) %}{{ x }}{% endfor %}",
		"nested ranges":        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
		"repeated string":      "{{ 'x' * 1000000000 }}",
		"repeated list":        "{{ [1] * 1000000000 }}",
		"replaced":             "{{ ('x' * 100000) | replace('x', 'y' * 100000) }}",
		"replaced nothing":     "{{ ('x' * 100000).replace('', 'y' * 100000) }}",
		"joined":               "{{ ('y' * 100000).join('x' * 100000) }}",
		"centred":              "{{ 'x'.center(2000000000) }}",
		"indented":             "{{ ('x\n' * 100000) | indent(100000) }}",
		"json indented":        "{{ [[1]] | tojson(indent=1000000000) }}",
		"percent width":        "{{ '%2000000000d' % 1 }}",
		"percent precision":    "{{ '%.2000000000f' % 1.5 }}",
		"format width":         "{{ '{:2000000000}'.format(1) }}",
		"batch":                "{{ [1] | batch(2000000000, 0) | list }}",
		"slices":               "{{ [1] | slice(2000000000) | list }}",
		"tabs":                 "{{ '\t'.expandtabs(2000000000) }}",
		"power":                "{{ 3 ** 100000000 }}",
		"power of one":         "{% for a in range(100000) %}{% for b in range(100) %}{{ 1 ** 9000000000000000000 }}{% endfor %}{% endfor %}",
		"output":               "{% set s = 'x' * 1000000 %}{% for a in range(100000) %}{{ s }}{% endfor %}",
		"counting":             "{% set s = 'x' * 10000000 %}{% for a in range(100000) %}{{ s.count('y') }}{% endfor %}",
		"searching":            "{% set s = 'x' * 10000000 %}{% for a in range(100000) %}{{ 'y' in s }}{% endfor %}",
		"sorting":              "{% set l = range(100000) | list %}{% for a in range(100000) %}{% set x = l | sort %}{% endfor %}",
		"summing":              "{% set l = range(100000) | list %}{% for a in range(100000) %}{{ l | sum }}{% endfor %}",
		"collected":            "{% set n = namespace(l=[]) %}{% for i in range(100000) %}{% set n.l = n.l + ['x' * 1000000 ~ i] %}{% endfor %}",
		"split":                "{% set s = 'x ' * 1000000 %}{% for a in range(100000) %}{% set x = s.split() %}{% endfor %}",
		"brackets":             "{{ " + strings.Repeat("[", 400000) + strings.Repeat("]", 400000) + " }}",
		"two million brackets": "{{ " + strings.Repeat("(", 2000000),
		"signs":                "{{ " + strings.Repeat("-", 500000) + "1 }}",
		"nots":                 "{{ " + strings.Repeat("not ", 200000) + "1 }}",
		"ifs":                  strings.Repeat("{% if 1 %}", 100000),
		"conditions":           "{{ " + strings.Repeat("1 if 1 else ", 80000) + "1 }}",
		"sums":                 "{{ 1" + strings.Repeat("+1", 400000) + " }}",
		"attributes":           "{{ x" + strings.Repeat(".x", 400000) + " }}",
		"filters":              "{{ x" + strings.Repeat("|e", 400000) + " }}",
		"strings":              "{{ " + strings.Repeat("''", 400000) + "| nope }}",
		"raw tags":             "{% raw %}" + strings.Repeat("{%", 500000),
		"escapes":              "{{ (('<' * 4000000) | e).upper() | safe | e | forceescape }}",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			begin := time.Now()
			_, err := renderText(src, nil, Options{})
			took := time.Since(begin)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Error("no error")
			} else {
				t.Logf("%v, %d MB in all: %.100v", took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20, err)
			}
			if heap := after.HeapSys; heap > before.HeapSys+100<<20 {
				t.Errorf("the heap grew by %d MB", (heap-before.HeapSys)>>20)
			}
		})
	}
}

// TestGathered: templates that gather the whole text in a variable take time in proportion to it, and
// what a text was before is not changed by what is put behind it.
func TestGathered(t *testing.T) {
	const src = "{% set n = namespace(s='', old='') %}{% for i in range(20000) %}{% if i == 500 %}{% set n.old = n.s %}{% endif %}" +
		"{% set n.s = n.s + '<' ~ i ~ '>' %}{% if i == 600 %}{% set x = n.old ~ 'another end' %}{% endif %}{% endfor %}" +
		"{{ n.s | length }} {{ n.old | length }} {{ n.old[-5:] }} {{ n.s[-7:] }} {{ n.s[2388:2396] }}"
	got, err := renderText(src, nil, Options{})
	if want := "128890 2390 <499> <19999> 9><500><"; got != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	tp, err := Parse("{% for x in range(100000) %}{{ x }}{% endfor %}")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := tp.Render(ctx, nil, Options{}); s != "" || !errors.Is(err, why) {
		t.Errorf("%q, %v", s, err)
	}
}

func TestStrftime(t *testing.T) {
	now := func() time.Time { return time.Date(2024, 7, 6, 9, 5, 3, 1234000, time.UTC) }
	for format, want := range map[string]string{
		"%d %b %Y":       "06 Jul 2024",
		"%Y-%m-%d":       "2024-07-06",
		"%B %-d, %y":     "July 6, 24",
		"%A %H:%M:%S":    "Saturday 09:05:03",
		"%-I%p %j %e|%f": "9AM 188  6|001234",
		"%a %F %T %% %Q": "Sat 2024-07-06 09:05:03 % %Q",
		"%U %W %V %u %w": "26 27 27 6 6",
		"100%":           "100%",
	} {
		got, err := renderText("{{ strftime_now(f) }}", vars(t, `{"f": `+jsonString(format, false)+`}`), Options{Now: now})
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", format, got, err, want)
		}
	}
}

func TestDecodeJSON(t *testing.T) {
	const src = `{"b": [1, 2.0, 1e3, -0, 123456789012345678901234567890, "é\n", null, true], "a": {"z": {}, "y": []}, "b2": 1.5e300}`
	got, err := renderText("{{ x | tojson }}", vars(t, `{"x": `+src+`}`), Options{})
	want := `{"b": [1, 2.0, 1000.0, 0, 123456789012345678901234567890, "é\n", null, true], "a": {"z": {}, "y": []}, "b2": 1.5e+300}`
	if err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{"", "[", "[1,]", `{"a"}`, "1 2", "nul", strings.Repeat("[", 5000), "{1:2}"} {
		if _, err := DecodeJSON([]byte(bad)); err == nil {
			t.Errorf("%.20s: no error", bad)
		}
	}
}

func TestConversation(t *testing.T) {
	c := Conversation{Messages: NewList(), BOS: "<s>", EOS: "</s>", AddGenerationPrompt: true, Extra: vars(t, `{"x": 1, "eos_token": "!"}`)}
	const src = "{{ bos_token }}{{ messages }}{{ tools is defined }}{{ x }}{{ eos_token }}{{ add_generation_prompt }}"
	if got, err := renderText(src, c.Vars(), Options{}); got != "<s>[]False1!True" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func FuzzRender(f *testing.F) {
	for _, s := range []string{"{{ 1 }}", "{% for a, b in m.items() if b recursive %}{{ loop(a) }}{% else %}{% endfor %}", "{% macro f(a, b=1) %}{{ caller() }}{% endmacro %}{% call f(1) %}{% endcall %}",
		"{%- set ns = namespace(x=1) -%}{% set ns.x = ns.x ** 2 %}{{ ns }}", "{{ m | tojson(indent=2) | indent(3) | replace('a', 'b') }}", "{{ '%5.2f|%s' % (1, 'a') }}{{ '{:>{w}}'.format(1, w=5) }}",
		"{{ (s | safe ~ '<')[::-1] }}", "{% raw %}{{{% endraw %}{# #}", "{{ l | map('upper') | select | groupby(0) | list }}{{ l[1:-1] == l }}", "{% filter upper %}{% generation %}a{% endgeneration %}{% endfilter %}"} {
		f.Add(s)
	}
	limits := Limits{Steps: 20000, Bytes: 1 << 20, Value: 1 << 16, Output: 1 << 14}
	f.Fuzz(func(t *testing.T, src string) {
		tp, err := Parse(src)
		if err != nil {
			return
		}
		v := vars(t, `{"m": {"a": "1", "b": [1, {"c": null}]}, "s": "é<b>", "l": ["a", "b", 3, 4.5]}`)
		s, err := tp.Render(context.Background(), v, Options{Limits: limits})
		if int64(len(s)) > limits.Output {
			t.Errorf("%d bytes, over the limit", len(s))
		}
		if err != nil && s != "" {
			t.Errorf("text and error: %q, %v", s, err)
		}
	})
}
