package engine

// expertCache keeps some experts of a layer in memory: those that were used most, where a use counts for less the longer
// ago it was. An expert that is read takes the place of another only if it is worth more, so the many that a long prompt
// needs once do not push out the few that all text needs.
type expertCache struct {
	slots []expertSlot
	slot  []int     // of each expert, -1 if it is not in memory
	worth []float64 // of each expert
}

type expertSlot struct {
	data   []byte
	expert int  // -1: none
	taken  bool // in this pass
}

// forget is what is left of a use's worth after a pass. 0 keeps what was used last, 1 what was used most; of the values
// tried on traces of routers (docs/performance.md) this one read least, or nearly so.
const forget = 0.95

func newExpertCache(experts int, memory [][]byte) *expertCache {
	c := &expertCache{slots: make([]expertSlot, len(memory)), slot: make([]int, experts), worth: make([]float64, experts)}
	for i := range c.slots {
		c.slots[i] = expertSlot{data: memory[i], expert: -1}
	}
	for e := range c.slot {
		c.slot[e] = -1
	}
	return c
}

// pass says that a pass comes to the layer: uses are the tokens sent to each expert, of n.
func (c *expertCache) pass(uses func(e int) int, n int) {
	for e := range c.worth {
		c.worth[e] = forget*c.worth[e] + float64(uses(e))/float64(n)
	}
	for i := range c.slots {
		s := &c.slots[i]
		s.taken = s.expert >= 0 && uses(s.expert) > 0
	}
}

// place is the slot where expert e, which is not in memory, is to be kept, -1 if it is not worth it. Who was there, -1 if
// none was, is there no longer.
func (c *expertCache) place(e int) (slot, was int) {
	slot, was = -1, -1
	for i := range c.slots {
		s := &c.slots[i]
		switch {
		case s.taken:
		case s.expert < 0:
			s.taken = true
			return i, -1
		case c.worth[s.expert] < c.worth[e] && (slot < 0 || c.worth[s.expert] < c.worth[c.slots[slot].expert]):
			slot = i
		}
	}
	if slot >= 0 {
		s := &c.slots[slot]
		was, s.expert, s.taken = s.expert, -1, true
		c.slot[was] = -1
	}
	return slot, was
}

// settle says that all of expert e is in the slot that place gave it.
func (c *expertCache) settle(e, slot int) {
	c.slots[slot].expert = e
	c.slot[e] = slot
}
