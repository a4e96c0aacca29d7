package raytracer

import "math"

type vector struct{ x, y, z float64 }

func (a vector) add(b vector) vector              { return vector{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vector) sub(b vector) vector              { return vector{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vector) scale(f float64) vector           { return vector{a.x * f, a.y * f, a.z * f} }
func (a vector) along(d vector, f float64) vector { return a.add(d.scale(f)) }
func (a vector) dot(b vector) float64             { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vector) unit() vector                     { return a.scale(1 / math.Sqrt(a.dot(a))) }

// mirror reflects a at a plane with the normal n.
func (a vector) mirror(n vector) vector { return a.along(n, -2*a.dot(n)) }

type ray struct{ origin, direction vector }
