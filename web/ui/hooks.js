/* hooks - small bridges from the browser and from subscribable things to Preact.
 */
import {useEffect, useState} from 'preact/hooks';

/** Draws again after every change. @template T
 * @param {{get: () => T, subscribe: (listener: () => void) => () => void}} source @returns {T} */
export function useSource(source) {
    const [value, setValue] = useState(source.get());
    useEffect(() => {
        setValue(source.get());
        return source.subscribe(() => setValue(source.get()));
    }, [source]);
    return value;
}

/** @param {string} query */
export function useMedia(query) {
    const [matches, setMatches] = useState(() => matchMedia(query).matches);
    useEffect(() => {
        const media = matchMedia(query);
        const follow = () => setMatches(media.matches);
        media.addEventListener('change', follow);
        return () => media.removeEventListener('change', follow);
    }, [query]);
    return matches;
}
