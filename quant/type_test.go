package quant

import "testing"

func TestTypeTable(t *testing.T) {
	n := 0
	for code := range Type(300) {
		if !code.Live() {
			continue
		}
		n++
		if back, ok := ParseType(code.String()); !ok || back != code {
			t.Errorf("ParseType(%q) = %d, %v", code.String(), back, ok)
		}
	}
	if n != 35 {
		t.Errorf("%d live types, want 35", n)
	}
	for code, want := range map[Type]string{4: "Q4_2 (removed)", 144: "IQ4_KS (ik_llama.cpp)", 212: "Q4_K_R4 (ik_llama.cpp)", 200: "type 200", 1<<32 - 1: "type 4294967295"} {
		if got := code.String(); got != want {
			t.Errorf("Type(%d) = %q, want %q", uint32(code), got, want)
		}
	}
}
