/* tools - the row above the figure: the model, what has been computed, the menus that put a second figure
 * beside and that save, and the button that opens how the picture is read.
 */
import {h} from 'preact';
import {Export} from '../save/export.js';
import {useLazy} from '../shell/hooks.js';
import {Models} from '../model/models.js';
import {Status} from '../model/status.js';

/** @param {import('./app.js').Shared & import('../model/models.js').ModelProps & {session:
 *     import('../session/session.js').Session, makeEngine: () => import('./app.js').Engine, drawable:
 *     import('../figure/figure.js').Drawable | null, modelName: string, link: () => string, help: boolean,
 *     onHelp: (open: boolean) => void, both: {current: any}}} props   both: what stands beside the figure */
export function Tools({picked, onModel, onFiles, onImported, help, onHelp, ...props}) {
    const {t, drawable, shown} = props;
    const ready = drawable && !shown.precomputed;
    const beside = useLazy(() => import('../compare/choose.js'), Boolean(ready));
    return h(
        'div',
        {class: 'tools'},
        h(Models, {...props, picked, onModel, onFiles, onImported}),
        h(Status, props),
        ready && beside && h(beside.SideBySide, {...props, drawable}),
        ready && h(Export, {...props, drawable}),
        h(
            'button',
            {
                type: 'button',
                class: 'help',
                'aria-expanded': help,
                'aria-label': t.help,
                title: t.help,
                onClick: () => onHelp(!help),
            },
            '?',
        ),
    );
}
