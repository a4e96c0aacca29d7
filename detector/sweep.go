package detector

const sweepFloor = 1 << 20

// NeedSweep says that enough has gathered since the last Sweep to make another
// worth its time.
func (e *Engine) NeedSweep() bool { return load64(&e.work) >= e.workNext }

// Sweep reclaims.
func (e *Engine) Sweep() {}
