/* remembered - settings kept between visits: whether the help is open. In localStorage, under names that begin with "headlight."; where that is refused (a
 * frame without an origin, private browsing) it holds until the page is left. Nothing that the
 * reader has typed is kept.
 */
import {useState} from 'preact/hooks';

/** @param {string} name @returns {string | null} */
function read(name) {
    try {
        return localStorage.getItem(`headlight.${name}`);
    } catch {
        return null;
    }
}

/** @param {string} name @param {string} value */
function write(name, value) {
    try {
        localStorage.setItem(`headlight.${name}`, value);
    } catch {
        // it holds until the page is left
    }
}

/** A switch that the next visit finds as it was left. @param {string} name @param {boolean} initial
 * @returns {[boolean, (on: boolean) => void]} */
export function useRemembered(name, initial) {
    const [on, setOn] = useState(() => (read(name) ?? (initial ? '1' : '')) === '1');
    return [
        on,
        value => {
            write(name, value ? '1' : '');
            setOn(value);
        },
    ];
}
