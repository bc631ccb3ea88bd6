// The hardware's own prefetch ends with a page of 4 KiB and waits at the next for its address to be translated, in large pages
// too where those of a virtual machine's host are small. PAGEAHEAD asks for one line of the page four on from where p
// reads, every time the same, so that the translation is there in time; other lines are best left to the hardware. Where
// nothing is there the processor drops it.
#define PAGEAHEAD(p, t) \
	LEAQ       16384(p), t \
	ANDQ       $~4095, t   \
	PREFETCHT0 (t)
