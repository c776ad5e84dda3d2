/* from - the origin of a model that is not one of the menu: the hub, a copy in this browser, a server, the
 * disk; and whether it is being kept. Fetched with the first such model.
 */

import {h} from 'preact';
import {useWords} from '../shell/hooks.js';

/** @param {Pick<import('../base/shared.js').Shared, 't' | 'shown'>} props */
export function From({t, shown: {model, copy}}) {
    const words = useWords(t.code, 'dialogs', true)?.from;
    if (!model?.from || !words) return null;
    const {place, name = '', commit = '', files} = model.from;
    if (place === 'server' && name.startsWith(globalThis.origin)) return null;
    const read = files.filter(file => file !== 'tokenizer_config.json').join(', ');
    const said =
        place === 'hub' || place === 'copy'
            ? words[place](name, commit.slice(0, 7))
            : words[place === 'disk' ? 'disk' : 'server'](name, read);
    const kept =
        copy === 'keeping' || copy === 'kept' ? words[copy] : copy && h('bdi', {lang: 'en'}, copy);
    return h('p', {class: 'origin'}, h('bdi', {translate: true}, said), ' ', kept);
}
