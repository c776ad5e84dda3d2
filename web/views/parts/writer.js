/* writer - the way from a model that predicts no next word to the one of the menu that writes.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';

/** @param {Pick<import('../../draw/blocks.js').Props, 'data' | 'on'> & {says: string}} props */
export function Writer({data: {t, menu = []}, on, says}) {
    const entry = menu.find((/** @type {Record<string, any>} */ one) => one.writes);
    if (!entry) return null;
    const onClick = () => on.set({model: entry.id, token: -1});
    const name = entry.names?.[t.code] ?? entry.name ?? entry.id;
    return h('p', {class: 'hint'}, says, ' ', buttonOf('plain', {onClick}, name));
}
