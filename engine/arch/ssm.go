package arch

import "strconv"

// SSM is a state space model of the Mamba family.
type SSM struct {
	Form   SSMForm
	Kernel int // ssm.conv_kernel: tokens that the convolution sees
	Inner  int // ssm.inner_size: Heads times the elements of a head
	State  int // ssm.state_size: numbers that each element remembers
	Heads  int // ssm.time_step_rank, or Inner in Mamba 1
	Groups int // ssm.group_count: sets of heads that share B and C
	Rank   int // of the matrices that make dt; 0 in Mamba 2, which has none

	ConvBias               Need
	StepNorm, BNorm, CNorm Norm // of dt, B and C
	Norm                   Norm // of the result, group by group
}

// SSMForm is a generation of Mamba.
type SSMForm uint8

const (
	Mamba1 SSMForm = iota // each element of the state has its own decay; dt, B and C depend on what the convolution gives
	Mamba2                // one decay a head; dt, B and C come beside x, and B and C go through the convolution
	Plamo2                // decay as in Mamba 2, the rest as in Mamba 1; z and x lie head by head
)

// SSM reads a state space model's keys.
func (b *Base) SSM(f SSMForm) *SSM {
	s := &SSM{
		Form:   f,
		Kernel: b.Int("ssm.conv_kernel", 0, 1, maxKernel),
		Inner:  b.Int("ssm.inner_size", 0, 1, maxWidth),
		State:  b.Int("ssm.state_size", 0, 1, maxWidth),
		Groups: 1,
	}
	rank := b.Int("ssm.time_step_rank", 0, 1, maxWidth)
	switch f {
	case Mamba1:
		s.Heads, s.Rank = s.Inner, rank
	case Mamba2:
		s.Heads = rank
		s.Groups = b.Int("ssm.group_count", 0, 1, maxWidth)
	case Plamo2:
		s.Heads, s.Rank = rank, max(64, b.Embd/16)
		if b.Int("ssm.group_count", -1, 0, maxWidth) != 0 {
			b.Problem("ssm.group_count", "must be 0")
		}
	}
	if s.Heads > 0 && s.Groups > 0 && (s.Inner%s.Heads != 0 || s.Heads%s.Groups != 0) {
		b.Problem("ssm.inner_size", strconv.Itoa(s.Inner)+" elements cannot be "+strconv.Itoa(s.Heads)+" heads in "+strconv.Itoa(s.Groups)+" groups")
	}
	if tooWide(s.Groups, s.State) {
		b.Problem("ssm.state_size", strconv.Itoa(s.Groups)+" groups of "+strconv.Itoa(s.State)+" are too many")
	}
	s.ConvBias = Required
	return s
}

// tooWide tells whether n vectors of size elements are longer than any row.
func tooWide(n, size int) bool { return int64(n)*int64(size) > maxWidth }

// maxKernel is the most tokens that a convolution may see.
const maxKernel = 1024

// Channels is the elements that go through the convolution.
func (s *SSM) Channels() int {
	if s.Form == Mamba2 {
		return s.Inner + 2*s.Groups*s.State
	}
	return s.Inner
}

// Memory is what the convolution sees before the next column, and State numbers for each element.
func (s *SSM) Memory(int) int64 {
	return int64(s.Kernel-1)*int64(s.Channels()) + int64(s.Inner)*int64(s.State)
}

func (s *SSM) tensors(t *table) {
	channels, rows := s.Channels(), 2*s.Inner
	if s.Form == Mamba2 {
		rows = s.Inner + channels + s.Heads
	}
	t.linear("ssm_in", rows, t.embd, Never)
	t.add("ssm_conv1d", Weight, Required, Values, channels, s.Kernel)
	t.need("ssm_conv1d", Bias, s.ConvBias, Values, channels)
	if s.Rank > 0 {
		t.linear("ssm_x", s.Rank+2*s.State, s.Inner, Never)
		t.norm(s.StepNorm, s.Rank)
		t.norm(s.BNorm, s.State)
		t.norm(s.CNorm, s.State)
		t.linear("ssm_dt", s.Heads, s.Rank, Required)
	} else {
		t.add("ssm_dt", Bias, Required, Values, s.Heads)
	}
	decays := 1
	if s.Form == Mamba1 {
		decays = s.State
	}
	t.add("ssm_a", Bare, Required, Values, s.decayShape(decays)...)
	t.add("ssm_d", Bare, Required, Values, s.decayShape(1)...)
	if s.Norm.Kind != NoNorm {
		t.add(s.Norm.Role, Weight, Required, Values, s.Groups, s.Inner/s.Groups)
	}
	t.linear("ssm_out", t.embd, s.Inner, Never)
}

// decayShape is the shape of n numbers for each head: Mamba 2 keeps a dim of 1, the others do not.
func (s *SSM) decayShape(n int) []int {
	if n > 1 || s.Form == Mamba2 {
		return []int{s.Heads, n}
	}
	return []int{s.Heads}
}

// Recurrent tells which layers have no key/value heads: there is something recurrent in them.
func (b *Base) Recurrent(i int) bool { return b.KV[i] == 0 }
