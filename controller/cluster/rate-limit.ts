/** A token bucket: how fast this client may ask, whatever goes wrong above it. */
export interface RateLimit {
  /** Requests a second, in the long run. */
  readonly perSecond: number;
  /** Requests at once after a quiet time. */
  readonly burst: number;
}

export interface Bucket {
  /** Takes a token and answers how long to wait before it may be used, in ms. Tokens are given out in the order they are asked for. */
  take(now: number): number;
}

/** `now`: of a clock in ms that only goes forward. */
export function createBucket({ perSecond, burst }: RateLimit, now: number): Bucket {
  let tokens = burst;
  let filledAt = now;
  return {
    take(at) {
      tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond);
      filledAt = at;
      tokens -= 1;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
  };
}
