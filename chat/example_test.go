package chat_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"straw/chat"
)

func Example() {
	t, err := chat.Parse("{% for m in messages %}<|{{ m.role }}|>{{ m.content | trim }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}")
	if err != nil {
		log.Fatal(err)
	}
	messages, err := chat.DecodeJSON([]byte(`[{"role": "user", "content": " Hello! "}]`))
	if err != nil {
		log.Fatal(err)
	}
	c := chat.Conversation{Messages: messages, AddGenerationPrompt: true}
	text, err := t.Render(context.Background(), c.Vars(), chat.Options{})
	fmt.Println(text, err)

	_, err = chat.Parse("{% for m in %}")
	var e *chat.Error
	if errors.As(err, &e) {
		fmt.Println(e)
	}
	// Output:
	// <|user|>Hello!
	// <|assistant|> <nil>
	// chat template, line 1, column 13: unexpected %}: a value is expected
}
