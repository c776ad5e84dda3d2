/* tools - the row above the figure: the model, what has been computed, the menu that saves, and the
 * button that opens how the picture is read.
 */
import {h} from 'preact';
import {Export} from './export.js';
import {Models} from './models.js';
import {Status} from './status.js';

/** @param {import('./app.js').Shared & import('./models.js').ModelProps & {session:
 *     import('./session.js').Session, makeEngine: () => import('./app.js').Engine, drawable:
 *     import('./figure.js').Drawable | null, modelName: string, link: () => string, help: boolean,
 *     onHelp: (open: boolean) => void}} props */
export function Tools({picked, onModel, onFiles, onImported, help, onHelp, ...props}) {
    const {t, drawable, shown} = props;
    return h(
        'div',
        {class: 'tools'},
        h(Models, {...props, picked, onModel, onFiles, onImported}),
        h(Status, props),
        drawable && !shown.precomputed && h(Export, {...props, drawable}),
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
