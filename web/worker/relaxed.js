/* relaxed - tells whether the relaxed 8-bit dot product is right and fast in this browser: then the .wasm files with it are
 * taken (worker.js). They give the same bits. The instruction is "relaxed": engines may differ outside 0..127, and just
 * that difference tells what they make of it.
 */

/* (func (export "p") (param i32 i32) (result i32)  ;; relaxed_dot of four of a and of b, plus 10
 *   local.get 0  i8x16.splat  local.get 1  i8x16.splat  i32.const 10  i32x4.splat
 *   i32x4.relaxed_dot_i8x16_i7x16_add_s  i32x4.extract_lane 0) */
const PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 112, 0,
    0, 10, 22, 1, 20, 0, 32, 0, 253, 15, 32, 1, 253, 15, 65, 10, 253, 17, 253, 147, 2, 253, 27, 0,
    11,
]);

/* -127 times 255, four times, plus 10: as signed times unsigned bytes (x86 with VNNI), or as signed
 * ones (ARM). Others are right too but slower than plain SIMD (x86 before VNNI), or wrong (the
 * first tier of V8 11, in Node 20, forgets the 10). */
const GOOD = [-129540 + 10, 508 + 10];

/** Four times a·b, plus 10, as this engine computes it; null where it has no relaxed SIMD. */
export function relaxedDot() {
    if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(PROBE)) return null;
    const {p} = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports;
    return /** @type {(a: number, b: number) => number} */ (p);
}

/** @returns {boolean} */
export function canRelax() {
    try {
        const dot = relaxedDot();
        return dot !== null && dot(1, 1) === 14 && GOOD.includes(dot(-127, 255));
    } catch {
        return false; // a policy forbids WebAssembly: instantiate.js says so
    }
}
