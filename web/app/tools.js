/* tools - the row above the figure: the model, what has been computed, the menus that put a second figure
 * beside and that save, and the button that opens how the picture is read.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {Export} from '../save/export.js';
import {useLazy, useMedia} from '../shell/hooks.js';
import {layers} from '../shell/layers.js';
import {HEIGHT, useLayer} from '../shell/use_layer.js';
import {Models} from '../model/models.js';
import {Status} from '../model/status.js';

/** The button that opens how the picture is read, and closes it: beside the figure, on a phone as a sheet
 * over the page, unless the numbers of a token have its place.
 * @param {import('../base/shared.js').Shared & {drawable: unknown, help: boolean, onHelp: (open: boolean) => void}}
 *     props */
function Help({t, state, drawable, help, onHelp}) {
    const root = useRef(/** @type {HTMLButtonElement | null} */ (null));
    const covering = () => [...layers].find(({cover}) => cover);
    const here = help && drawable !== null && state.desk === 'text';
    useLayer(useMedia('(max-width: 759px)') && here, {
        height: HEIGHT.help,
        back: () => true,
        escape(_, writing) {
            if (writing || covering()) return false;
            onHelp(false);
            root.current?.focus();
            return true;
        },
        nothing(target) {
            if (!target.closest('.how') && !covering()) onHelp(false);
        },
    });
    const onClick = () => {
        const numbers = covering();
        numbers?.cover?.();
        if (!numbers || !help) onHelp(!help);
    };
    return buttonOf(
        'help',
        {ref: root, onClick, 'aria-expanded': help, 'aria-label': t.help, title: t.help},
        '?',
    );
}

/** @param {import('../base/shared.js').Shared & import('../model/models.js').ModelProps & {session:
 *     import('../session/session.js').Session, makeEngine: () => import('../base/shared.js').Engine, drawable:
 *     import('../figure/figure.js').Drawable | null, modelName: string, link: () => string, help: boolean,
 *     onHelp: (open: boolean) => void, both: {current: any}}} props   both: what stands beside the figure */
export function Tools({picked, onModel, onFiles, onImported, help, onHelp, ...props}) {
    const {drawable, shown} = props;
    const ready = drawable && !shown.precomputed;
    const beside = useLazy(() => import('../compare/choose.js'), Boolean(ready));
    return h(
        'div',
        {class: 'tools'},
        h(Models, {...props, picked, onModel, onFiles, onImported}),
        h(Status, props),
        ready && beside && h(beside.SideBySide, {...props, drawable}),
        ready && h(Export, {...props, drawable}),
        h(Help, {...props, help, onHelp}),
    );
}
