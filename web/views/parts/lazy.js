/* lazy - a part of a view that is fetched when it is first drawn, or before (`begin`): what the first
 * picture does not need. Until it is here its place is empty; from then on it is drawn at once.
 */
import {Component, h} from 'preact';

/** @param {() => Promise<import('preact').ComponentType<any>>} load */
export function lazy(load) {
    /** @type {import('preact').ComponentType<any> | null} */
    let loaded = null;
    /** @type {Promise<void> | null} */
    let coming = null;
    const begin = () =>
        (coming ??= load().then(part => {
            loaded = part;
        }));
    return class extends Component {
        static begin = begin;

        componentDidMount() {
            if (!loaded) begin().then(() => this.setState({}));
        }

        /** @param {any} props */
        render(props) {
            return loaded && h(loaded, props);
        }
    };
}
