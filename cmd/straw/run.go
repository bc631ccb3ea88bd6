package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"straw/chat/reply"
	"straw/internal/session"
	"straw/internal/term"
)

// generateFlags are what run is asked for beside the model.
type generateFlags struct {
	samplingFlags
	conversationFlags
	timelineFlags
	question          string
	raw, chat, asJSON bool
	n                 int
	ignoreEOG         bool
	stop              []string
	profile           string
	noHistory         bool

	flags *pflag.FlagSet // that these are, for /set
}

func (a *app) runCommand() *cobra.Command {
	var e engineFlags
	var g generateFlags
	cmd := &cobra.Command{
		Use: "run [FILE]",
		Long: `Continues a prompt, wrapped in the file's chat template when it has one (--raw: as it is). Without -p
the prompt is read from standard input; on a terminal a conversation begins. Without FILE the demo model
tells a story. Ctrl-C stops the generation. The same seed and options give the same tokens, whatever
the threads and the budget.

What the model writes in the way of its template's family is taken apart. Thoughts are dimmed on a terminal;
where the output is a file or a pipe they go to standard error. Calls of --tools are shown with their
arguments; --chat asks for what each returns.

In a conversation /help tells of the commands: /retry, /undo, /set, /file and others. What is typed at a terminal
is kept for the next time, for its user alone, unless --no-history is given. From a pipe each line is a turn.`,
		Example: `  straw run -p "Tell me a story about a brave mouse."
  straw run model.gguf -p "def fib(n):" --raw -n 100 --temp 0
  straw run model.gguf --chat --system "Answer briefly."
  straw run model.gguf < question.txt > answer.txt
  straw run model.gguf -p "A person as JSON:" --json-schema person.json
  straw run model.gguf --chat --session talk.straw --on-full shift`,
		Args:              args(0, 1, ""),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.flags = cmd.Flags()
			if err := g.check(g.flags); err != nil {
				return err
			}
			given := cmd.Flags().Changed("prompt")
			if !given && !g.chat {
				g.chat = term.IsTerminal(a.in) && term.IsTerminal(a.stdout) && !g.raw && !g.asJSON
			}
			if !given && !g.chat {
				text, err := a.readText("-")
				if err != nil {
					return err
				}
				if g.question = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"); g.question == "" {
					return usagef("no prompt: give one with -p, on standard input, or ask for --chat")
				}
			}
			if err := g.samplingFlags.read(a); err != nil {
				return err
			}
			if err := g.conversationFlags.read(a); err != nil {
				return err
			}
			end, err := profile(g.profile)
			if err != nil {
				return err
			}
			defer end()
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			m, err := a.load(ctx, first(args), &e)
			if err != nil {
				return err
			}
			defer m.close()
			if g.chat {
				stop()
				return about(m.label, g.about(a.converse(cmd.Context(), m, &g)))
			}
			return about(m.label, g.about(a.generate(ctx, m, &g)))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&g.question, "prompt", "p", "", "`TEXT` to continue or to answer")
	f.BoolVar(&g.raw, "raw", false, "the prompt as it is, without the chat template")
	f.BoolVar(&g.chat, "chat", false, "a conversation; /help in it tells what can be asked for")
	f.BoolVar(&g.noHistory, "no-history", false, "do not keep what is typed in a conversation for the next time")
	f.StringVar(&g.system, "system", "", "the system message `TEXT`")
	f.StringVar(&g.toolsFile, "tools", "", "what the model may call: a JSON array of tools in `FILE`")
	f.StringArrayVar(&g.vars, "var", nil, "a variable of the chat template, `NAME=JSON` (enable_thinking=false); may be given more than once")
	f.IntVarP(&g.n, "predict", "n", -1, "at most `N` tokens; -1: until the model ends or the context is full")
	f.BoolVar(&g.asJSON, "json", false, "one JSON object at the end")
	g.samplingFlags.add(f)
	g.timelineFlags.add(f)
	f.StringArrayVar(&g.stop, "stop", nil, "`TEXT` that ends the generation; may be given more than once")
	f.BoolVar(&g.ignoreEOG, "ignore-eog", false, "go on where the model would end")
	e.add(f, "f16")
	f.StringVar(&g.profile, "cpuprofile", "", "write a CPU profile to `FILE`, for go tool pprof")
	return cmd
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func (g *generateFlags) check(f *pflag.FlagSet) error {
	switch {
	case g.n < -1:
		return usagef("-n %d: a number of tokens, or -1 for no limit", g.n)
	case g.raw && (f.Changed("system") || f.Changed("tools") || f.Changed("var")):
		return usagef("--system, --tools and --var need the chat template, which --raw leaves out")
	case g.chat && g.raw:
		return usagef("--chat needs the chat template, which --raw leaves out")
	case g.chat && f.Changed("prompt"):
		return usagef("--chat and -p exclude each other: the conversation asks for its prompts")
	case g.chat && g.asJSON:
		return usagef("--chat has no --json: give a prompt with -p")
	}
	if err := g.timelineFlags.check(); err != nil {
		return err
	}
	return g.samplingFlags.check(f)
}

func (g *generateFlags) params() session.Params {
	p := session.Params{MaxTokens: g.n, Stop: g.stop, IgnoreEOG: g.ignoreEOG}
	g.samplingFlags.into(&p)
	g.timelineFlags.into(&p)
	return p
}

// generate answers one prompt.
func (a *app) generate(ctx context.Context, m *model, g *generateFlags) error {
	template, err := m.ChatTemplate()
	if err != nil {
		return err
	}
	raw := g.raw || template == "" && g.system == "" && g.tools == nil
	before, err := g.restore(m, raw)
	if err != nil {
		return err
	}
	if !g.flags.Changed("system") {
		g.system = before.System
	}
	turns := append(before.Messages, session.Message{Role: "user", Content: g.question})
	prompt := g.prompt(turns...)
	if raw {
		prompt = session.Prompt{Text: g.question}
	}
	if raw && g.file != "" {
		ids, err := continued(m, before, g.question)
		if err != nil {
			return err
		}
		prompt = session.Prompt{IDs: ids}
	}
	w := a.answerWriter()
	yield := w.piece
	if g.asJSON {
		yield = nil
	}
	r, err := m.Generate(ctx, prompt, g.params(), yield)
	if err != nil && r.FinishReason != session.FinishCancelled {
		w.end()
		return err
	}
	if r.FinishReason == session.FinishCancelled && r.PromptTokens == 0 {
		return err
	}
	after := saved{IDs: append(prompt.IDs, r.IDs...)}
	if !raw {
		after = saved{System: g.system, Messages: append(turns, r.Message())}
	}
	if err := g.save(context.WithoutCancel(ctx), m, after); err != nil {
		w.end()
		return err
	}
	if g.asJSON {
		ids := r.IDs
		if ids == nil {
			ids = []int{}
		}
		return a.json(struct {
			Text         string         `json:"text"`
			Reasoning    string         `json:"reasoning,omitempty"`
			Calls        []calledTool   `json:"tool_calls,omitempty"`
			IDs          []int          `json:"ids"`
			PromptTokens int            `json:"prompt_tokens"`
			Tokens       int            `json:"tokens"`
			PromptTPS    float64        `json:"prompt_tps"`
			TPS          float64        `json:"tps"`
			TTFT         float64        `json:"ttft_ms"`
			Peak         int64          `json:"peak_bytes"`
			Read         int64          `json:"bytes_read"`
			Finish       string         `json:"finish_reason"`
			Drafted      int            `json:"drafted,omitempty"`
			Accepted     int            `json:"accepted,omitempty"`
			Experts      *expertFigures `json:"experts,omitempty"`
			Seed         uint64         `json:"seed"`
		}{r.Text, r.Reasoning, calledTools(r.Calls), ids, r.PromptTokens, len(r.IDs), places(r.PromptRate(), 3), places(r.Rate(), 3), places(milliseconds(r.FirstToken), 3),
			peakMemory(), r.BytesRead, r.FinishReason, r.Drafted, r.Accepted, expertsOf(m), g.p.Seed})
	}
	w.end()
	if err := a.out.Flush(); err != nil {
		return fmt.Errorf("writing the text: %w", err)
	}
	a.statistics(m, &r, g, false)
	return nil
}

// calledTool is a call of a tool in the JSON object.
type calledTool struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func calledTools(calls []reply.Call) (list []calledTool) {
	for _, c := range calls {
		list = append(list, calledTool{c.ID, c.Name, json.RawMessage(c.Arguments)})
	}
	return list
}

// statistics is the line after a generation; brief leaves out what does not change from turn to turn.
func (a *app) statistics(m *model, r *session.Result, g *generateFlags, brief bool) {
	with := func(n int, what string, rate float64) string {
		s := count(n) + " " + what
		if rate > 0 {
			s += " at " + strconv.FormatFloat(rate, 'f', digits(rate), 64) + "/s"
		}
		return s
	}
	parts := []string{with(r.PromptTokens-r.CachedTokens, "prompt tokens", r.PromptRate()), with(len(r.IDs), "generated", r.Rate())}
	if r.FirstToken > 0 {
		parts = append(parts, "first after "+duration(r.FirstToken))
	}
	parts = append(parts, m.readNote(r)...)
	if n := peakMemory(); n > 0 && !brief {
		s := "peak " + size(n)
		if m.budget > 0 && n > m.budget {
			s += ", above --ram-budget"
		}
		parts = append(parts, s)
	}
	if r.Drafted > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d guessed", r.Accepted, r.Drafted))
	}
	if r.Shifts > 0 {
		parts = append(parts, "the oldest left out")
	}
	if g.p.Temperature > 0 && !brief {
		parts = append(parts, fmt.Sprintf("seed %d", g.p.Seed))
	}
	parts = append(parts, map[string]string{
		session.FinishStop: "ended", session.FinishCalls: "ended", session.FinishLength: "ended by -n", session.FinishContext: "context full",
		session.FinishCancelled: "stopped"}[r.FinishReason])

	before, after := "", ""
	if term.IsTerminal(a.err) {
		before = "\n"
	}
	if term.Color(a.err) {
		before, after = before+"\x1b[2m", "\x1b[0m"
	}
	a.note("%s%s%s", before, strip(parts, term.Width(a.err)), after)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func duration(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.0f ms", milliseconds(d))
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// places rounds v to n places after the point: more would be noise.
func places(v float64, n int) float64 {
	p := 1.0
	for range n {
		p *= 10
	}
	return float64(int64(v*p+0.5)) / p
}

// profile starts a CPU profile into the file name, if there is one, and returns what ends it.
func profile(name string) (end func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}

// cancelled tells whether err is only that somebody stopped.
func cancelled(err error) bool { return errors.Is(err, context.Canceled) }
