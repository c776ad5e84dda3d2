/* folded - a part behind a summary, made only while it is open: a native <details>.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';

/** @param {{label: import('preact').ComponentChild, inside: () => import('preact').ComponentChild} & Record<string, any>}
 *     props   the others are attributes */
export function Folded({label, inside, ...attributes}) {
    const [open, setOpen] = useState(false);
    const onToggle = (/** @type {{currentTarget: any}} */ event) =>
        setOpen(event.currentTarget.open);
    return h(
        'details',
        {...attributes, open, onToggle},
        h('summary', null, label),
        open && inside(),
    );
}
