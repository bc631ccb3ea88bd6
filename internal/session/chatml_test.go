package session

import "testing"

func TestRender(t *testing.T) {
	const chatML = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
	got, err := render(chatML, []Message{{"system", "Be kind."}, {"user", "Hello"}})
	want := "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
	if got != want || err != nil {
		t.Errorf("%q, %v: want %q", got, err, want)
	}
	for name, template := range map[string]string{"none": "", "another": "[INST] {{ messages[0].content }} [/INST]", "half of it": "<|im_start|>"} {
		if s, err := render(template, nil); err == nil || err.(*UnsupportedError).Kind() != "unsupported" {
			t.Errorf("%s: %q, %v", name, s, err)
		}
	}
}

func TestWriterHoldsBackOnlyWhatMayStop(t *testing.T) {
	for _, c := range []struct {
		held string
		stop []string
		want int
	}{{"abc", []string{"cd"}, 1}, {"abc", []string{"bcd", "c!"}, 2}, {"abc", []string{"abc!"}, 3}, {"abc", []string{"x"}, 0}, {"aaa", []string{"aab"}, 2}, {"", []string{"x"}, 0}} {
		w := &writer{held: c.held, stop: c.stop}
		if got := w.pending(); got != c.want {
			t.Errorf("%q with %q: %d held back, want %d", c.held, c.stop, got, c.want)
		}
	}
}
