// Package house holds no code: its test keeps the house in order, that is, who may import whom.
package house
