// Moves the clock that code in this process or worker reads, so that tests need not wait for days.

/** Replaces `Date`; returns how to set the shift in milliseconds. Timers keep real time. */
export function installClockShift(initialMs: number): (shiftMs: number) => void {
  let shift = initialMs;
  const RealDate = Date;
  const now = () => RealDate.now() + shift;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return (shiftMs) => {
    shift = shiftMs;
  };
}
