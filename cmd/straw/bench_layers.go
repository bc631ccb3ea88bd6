package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"straw/engine"
	"straw/internal/term"
)

// layerFigures is what one layer costs a token: a generated one, or of the prompt where nothing is generated.
type layerFigures struct {
	Layer   string  `json:"layer"`      // its number, or "output"
	Bytes   int64   `json:"bytes"`      // of weights that the token needs
	Read    int64   `json:"read_bytes"` // of these from the file, a token
	Reading float64 `json:"read_ms"`    // milliseconds a token that readers spent, while others computed
	Compute float64 `json:"compute_ms"`
	Wait    float64 `json:"wait_ms"` // for weights
}

// layersOf is the medians of all.
func layersOf(m *model, all []round) []layerFigures {
	bytes := m.layerBytes()
	layers := make([]layerFigures, len(all[0].layers))
	for i := range layers {
		of := func(field func(*engine.LayerStats) float64) float64 {
			var v []float64
			for j := range all {
				v = append(v, field(&all[j].layers[i])/float64(all[j].tokensOfLayers))
			}
			return places(median(v), 4)
		}
		layers[i] = layerFigures{
			Layer:   strconv.Itoa(i),
			Bytes:   bytes[i],
			Read:    int64(of(func(l *engine.LayerStats) float64 { return float64(l.Bytes) })),
			Reading: of(func(l *engine.LayerStats) float64 { return milliseconds(l.Read) }),
			Compute: of(func(l *engine.LayerStats) float64 { return milliseconds(l.Compute) }),
			Wait:    of(func(l *engine.LayerStats) float64 { return milliseconds(l.Wait) }),
		}
	}
	layers[len(layers)-1].Layer = "output"
	return layers
}

// barWidth is the columns of the longest bar of a timeline.
const barWidth = 30

// layerTable writes the timeline: a bar for each layer, computing filled and waiting dotted. Layers that follow each other
// and cost about the same share a line.
func layerTable(w io.Writer, width int, color bool, layers []layerFigures) {
	longest := 0.0
	for _, l := range layers {
		longest = max(longest, l.Compute+l.Wait)
	}
	bar := func(ms float64, mark string) string {
		return strings.Repeat(mark, int(ms/max(longest, 1e-9)*barWidth+0.5))
	}
	var rows [][]string
	for len(layers) > 0 {
		n := alike(layers)
		l := mean(layers[:n])
		speed := ""
		if t := l.Compute + l.Wait; t > 0 {
			speed = fmt.Sprintf("%.1f GB/s", float64(l.Bytes)/t/1e6)
		}
		rows = append(rows, []string{l.Layer, size(l.Bytes), fmt.Sprintf("%.3f ms", l.Reading), fmt.Sprintf("%.3f ms", l.Compute), fmt.Sprintf("%.3f ms", l.Wait), speed,
			bar(l.Compute, "█") + bar(l.Wait, "░")})
		layers = layers[n:]
	}
	term.Table(w, width, color, []term.Column{{Title: "layer"}, {Title: "weights", Right: true}, {Title: "read", Right: true}, {Title: "compute", Right: true},
		{Title: "wait", Right: true}, {Title: "speed", Right: true}, {Title: "timeline", Give: true}}, rows)
}

// alike is how many of layers, from the first on, have as many bytes and cost as much, give or take a tenth.
func alike(layers []layerFigures) int {
	near := func(a, b float64) bool { return a-b < 0.1*max(a, b) && b-a < 0.1*max(a, b) }
	first := layers[0]
	n := 1
	for ; n < len(layers); n++ {
		l := layers[n]
		if l.Layer == "output" || l.Bytes != first.Bytes || !near(l.Compute+l.Wait, first.Compute+first.Wait) || l.Wait != first.Wait && !near(l.Wait, first.Wait) {
			break
		}
	}
	return n
}

// mean is one line for layers that are alike.
func mean(layers []layerFigures) layerFigures {
	l := layers[0]
	for _, o := range layers[1:] {
		l.Reading += o.Reading
		l.Compute += o.Compute
		l.Wait += o.Wait
	}
	l.Reading /= float64(len(layers))
	l.Compute /= float64(len(layers))
	l.Wait /= float64(len(layers))
	if len(layers) > 1 {
		l.Layer += " to " + layers[len(layers)-1].Layer
	}
	return l
}
