package gguf

// shardNoise are rules about model keys, which only the first shard of a set has.
var shardNoise = map[string]bool{}

// lint remarks on metadata that will trouble those who run the model.
func (p *parser) lint() {}
