/* pause - long work in the page, cut into slices: what takes its turn between them (a press, a frame)
 * waits at most as long as one slice.
 */
const SLICE = 20; // ms

/** What is awaited again and again within the work. */
export function createPause() {
    let since = performance.now();
    return async () => {
        if (performance.now() - since < SLICE) return;
        await new Promise(resolve => {
            setTimeout(resolve);
        });
        since = performance.now();
    };
}
