package reply_test

import (
	"fmt"

	"straw/chat/reply"
)

func Example() {
	template := "... <tool_call>\n{\"name\": <function-name>, ...}\n</tool_call> ..."
	prompt := "<|im_start|>assistant\n<think>\n"

	family := reply.Detect(template)
	p := family.New(reply.Options{Thinking: family.Thinking(prompt)})
	print := func(events []reply.Event) {
		for _, e := range events {
			fmt.Printf("%v %s%q\n", e.Kind, e.Name, e.Text)
		}
	}
	for _, piece := range []string{"Sums.\n</thi", "nk>\n\n<tool_call>{\"name\": \"add\", ", "\"arguments\": {\"a\":", " 1}}\n</tool_call>"} {
		print(p.Push(piece))
	}
	print(p.Close())
	fmt.Println(p.Message().Calls)
	// Output:
	// reasoning "Sums."
	// begin add""
	// arguments "{\"a\":"
	// arguments " 1}"
	// end ""
	// [{ add {"a": 1}}]
}
