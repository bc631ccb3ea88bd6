package sample

// xoshiro is xoshiro256** 1.0 (Blackman and Vigna 2018), seeded by splitmix64 as its authors recommend.
type xoshiro [4]uint64

func newXoshiro(seed uint64) xoshiro {
	var x xoshiro
	for i := range x {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		x[i] = z ^ z>>31
	}
	return x
}

func (x *xoshiro) next() uint64 {
	r := x[1] * 5
	r = (r<<7 | r>>57) * 9
	t := x[1] << 17
	x[2] ^= x[0]
	x[3] ^= x[1]
	x[1] ^= x[2]
	x[0] ^= x[3]
	x[2] ^= t
	x[3] = x[3]<<45 | x[3]>>19
	return r
}

// float is uniform in [0, 1), a multiple of 2^-53.
func (x *xoshiro) float() float64 { return float64(x.next()>>11) / (1 << 53) }
