/* refused - says that the address names a model that cannot be one, and that the figure is of the
 * first model. It goes with the next change of the address.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {useWords} from '../shell/hooks.js';

/** @param {{t: import('../views/view.js').Texts, model: string}} props */
export function Refused({t, model}) {
    const [closed, close] = useState('');
    const words = useWords(t.code, 'dialogs', true);
    if (closed === model || !words) return null;
    const [before, after] = words.refusedModel.split('#');
    return h(
        'div',
        {class: 'notice', role: 'alert'},
        h('p', null, before, h('bdi', null, model), after),
        h('div', null, buttonOf('plain', {onClick: () => close(model)}, t.close)),
    );
}
