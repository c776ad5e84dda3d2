/* entered - a field whose text counts when it is entered: by Enter, or when the field is left. What is typed stays
 * meanwhile, also while answers come and the view is drawn anew with the text that was entered before.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';

/** @param {{value: string, onEnter: (text: string) => void} & Record<string, any>} props   value: what was entered last;
 *     onEnter gets what is typed, without space around it; more: attributes of the input */
export function Entered({value, onEnter, ...more}) {
    const [typed, setTyped] = useState({over: value, text: value});
    return h('input', {
        ...more,
        value: typed.over === value ? typed.text : value,
        onInput: (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget}) =>
            setTyped({over: value, text: currentTarget.value}),
        onChange: (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget}) => {
            const text = currentTarget.value.trim();
            setTyped({over: text, text});
            onEnter(text);
        },
    });
}
