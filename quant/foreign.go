package quant

// foreign names the codes of real files that ggml does not have: removed types and ik_llama.cpp's own, as its ggml.h
// numbers them (August 2026).
var foreign = map[Type]string{
	4: "Q4_2 (removed)", 5: "Q4_3 (removed)",
	31: "Q4_0_4_4 (removed)", 32: "Q4_0_4_8 (removed)", 33: "Q4_0_8_8 (removed)",
	36: "IQ4_NL_4_4 (removed) or I2_S (ik_llama.cpp)", 37: "IQ4_NL_4_8 (removed)", 38: "IQ4_NL_8_8 (removed)",
	97: "Q8_0_X4 (ik_llama.cpp)", 98: "Q8_1_X4 (ik_llama.cpp)", 99: "Q8_2_X4 (ik_llama.cpp)",
	133: "Q6_0 (ik_llama.cpp)", 134: "IQ1_BN (ik_llama.cpp)", 135: "IQ2_BN (ik_llama.cpp)", 136: "Q8_K64 (ik_llama.cpp)",
	137: "IQ2_K (ik_llama.cpp)", 138: "IQ3_K (ik_llama.cpp)", 139: "IQ4_K (ik_llama.cpp)", 140: "IQ5_K (ik_llama.cpp)",
	141: "IQ6_K (ik_llama.cpp)", 144: "IQ4_KS (ik_llama.cpp)", 145: "IQ2_KS (ik_llama.cpp)", 146: "IQ4_KSS (ik_llama.cpp)",
	147: "Q8_K16 (ik_llama.cpp)", 148: "Q8_K32 (ik_llama.cpp)", 149: "Q8_KR8 (ik_llama.cpp)", 150: "Q8_K128 (ik_llama.cpp)",
	151: "Q8_KV (ik_llama.cpp)", 152: "IQ5_KS (ik_llama.cpp)", 153: "IQ2_KT (ik_llama.cpp)", 154: "IQ3_KT (ik_llama.cpp)",
	155: "IQ4_KT (ik_llama.cpp)", 156: "IQ3_KS (ik_llama.cpp)", 157: "IQ2_KL (ik_llama.cpp)", 158: "IQ1_KT (ik_llama.cpp)",
}
