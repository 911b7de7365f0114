/** Starts what whole-program tests share; replaced by the real servers in this folder. */
export default function setup(): void {
  process.env["TZ"] ??= "UTC";
}
