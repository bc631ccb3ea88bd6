// What multiplications of a tile are written with for one, two and four columns: COLUMNS, one of the first three macros,
// takes what is done for each of four columns.

#define ONE(a, b, c, d) a

#define TWO(a, b, c, d) a; b

#define FOUR(a, b, c, d) a; b; c; d

#define MOVE(from, to) VMOVUPS from, to

#define ZERO(z) VPXORD z, z, z

// acc += four elements of each row, z, times four of a column
#define DOT(x, z, acc) VPDPBUSD.BCST x, z, acc
