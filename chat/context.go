package chat

// Conversation is what templates are usually given.
type Conversation struct {
	Messages            Value // a list of dicts with role and content
	Tools               Value // a list of dicts; nil: the template sees none
	BOS, EOS            string
	AddGenerationPrompt bool
	Extra               *Dict // more variables, which come before the usual ones of the same name; may be nil
}

// Vars are the variables of a template.
func (c *Conversation) Vars() *Dict {
	d := NewDict()
	d.Set("messages", c.Messages)
	d.Set("bos_token", c.BOS)
	d.Set("eos_token", c.EOS)
	d.Set("add_generation_prompt", c.AddGenerationPrompt)
	if c.Tools != nil {
		d.Set("tools", c.Tools)
	}
	if c.Extra != nil {
		for i, k := range c.Extra.keys {
			if s, ok := k.(string); ok {
				d.Set(s, c.Extra.values[i])
			}
		}
	}
	return d
}
