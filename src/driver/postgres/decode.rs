//! Cells of answers, from their binary form.
//!
//! It must not know which query was asked. Invariant: a type that is not known is an error, never a guess.

use std::error::Error;

use tokio_postgres::types::{FromSql, Type};

use crate::driver::types::Cell;
use crate::workload::model::Precision;

/// A cell before its time stamps are in a schema's precision.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Raw {
    /// As it is.
    Cell(Cell),
    /// Microseconds since the year 2000.
    Microseconds(i64),
}

/// 2000-01-01 in microseconds since 1970.
const YEAR_2000: i64 = 946_684_800_000_000;

impl Raw {
    /// The cell; time stamps as integers of this precision.
    pub(super) fn into_cell(self, precision: Precision) -> Cell {
        match self {
            Raw::Cell(cell) => cell,
            Raw::Microseconds(since) => Cell::Integer(match precision {
                Precision::Ms => (since + YEAR_2000).div_euclid(1_000),
                Precision::Us => since + YEAR_2000,
                Precision::Ns => (since + YEAR_2000).saturating_mul(1_000),
            }),
        }
    }
}

impl<'a> FromSql<'a> for Raw {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Raw::Cell(match *ty {
            Type::TIMESTAMPTZ | Type::TIMESTAMP => return Ok(Raw::Microseconds(i64::from_be_bytes(raw.try_into()?))),
            Type::BOOL => Cell::Boolean(raw.first().is_some_and(|byte| *byte != 0)),
            Type::INT2 => Cell::Integer(i64::from(i16::from_be_bytes(raw.try_into()?))),
            Type::INT4 => Cell::Integer(i64::from(i32::from_be_bytes(raw.try_into()?))),
            Type::INT8 => Cell::Integer(i64::from_be_bytes(raw.try_into()?)),
            Type::OID => Cell::Integer(i64::from(u32::from_be_bytes(raw.try_into()?))),
            Type::FLOAT4 => Cell::Float(shortest(f32::from_be_bytes(raw.try_into()?))),
            Type::FLOAT8 => Cell::Float(f64::from_be_bytes(raw.try_into()?)),
            Type::NUMERIC => numeric(raw)?,
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN | Type::JSON => {
                Cell::Text(std::str::from_utf8(raw)?.to_owned())
            }
            _ => return Err(format!("answers of type {} are not known here", ty.name()).into()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Raw::Cell(Cell::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// The double that the shortest text of a 32-bit float means: 0.1 stays 0.1.
fn shortest(value: f32) -> f64 {
    zmij::Buffer::new().format(value).parse().unwrap_or(f64::from(value))
}

/// A numeric: an integer where it is one of 64 bits, else the nearest double.
fn numeric(raw: &[u8]) -> Result<Cell, Box<dyn Error + Sync + Send>> {
    let word = |at: usize| -> Result<i16, Box<dyn Error + Sync + Send>> {
        let bytes = raw.get(2 * at..2 * at + 2).ok_or("a numeric that ends too early")?;
        Ok(i16::from_be_bytes(bytes.try_into()?))
    };
    let (digits, weight, sign, scale) = (word(0)?, word(1)?, word(2)? as u16, word(3)?);
    match sign {
        0x0000 | 0x4000 => {}
        0xD000 => return Ok(Cell::Float(f64::INFINITY)),
        0xF000 => return Ok(Cell::Float(f64::NEG_INFINITY)),
        _ => return Ok(Cell::Float(f64::NAN)),
    }
    let group = |at: i16| if (0..digits).contains(&at) { word(4 + at as usize) } else { Ok(0) };
    let mut text = String::from(if sign == 0x4000 { "-0" } else { "0" });
    for at in 0..=weight {
        text.push_str(&format!("{:04}", group(at)?));
    }
    if scale == 0 {
        return Ok(text.parse().map(Cell::Integer).or_else(|_| text.parse().map(Cell::Float))?);
    }
    text.push('.');
    for at in weight + 1..weight + 1 + (scale + 3) / 4 {
        text.push_str(&format!("{:04}", group(at)?));
    }
    Ok(Cell::Float(text.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A numeric as the server sends it.
    fn wire(digits: &[i16], weight: i16, negative: bool, scale: i16) -> Vec<u8> {
        let sign = if negative { 0x4000 } else { 0 };
        let words = [&[digits.len() as i16, weight, sign, scale], digits].concat();
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    #[test]
    fn numerics_are_integers_where_they_are_whole() {
        assert_eq!(numeric(&wire(&[1, 2345], 1, false, 0)).unwrap(), Cell::Integer(12345));
        assert_eq!(numeric(&wire(&[5], 1, true, 0)).unwrap(), Cell::Integer(-50_000));
        assert_eq!(numeric(&wire(&[], 0, false, 0)).unwrap(), Cell::Integer(0));
        assert_eq!(numeric(&wire(&[12, 5000], 0, false, 1)).unwrap(), Cell::Float(12.5));
        assert_eq!(numeric(&wire(&[25], -2, true, 8)).unwrap(), Cell::Float(-0.000_000_25));
        assert_eq!(
            numeric(&wire(&[1844, 6744, 737, 955, 1614], 4, false, 0)).unwrap(),
            Cell::Float(1.844_674_407_370_955_2e19)
        );
        assert!(numeric(&wire(&[1], 0, false, 0)[..9]).is_err());
    }

    #[test]
    fn times_are_integers_and_short_floats_stay_short() {
        let time = Raw::from_sql(&Type::TIMESTAMPTZ, &(-YEAR_2000 - 1_500_000).to_be_bytes()).unwrap();
        assert_eq!(time.clone().into_cell(Precision::Ms), Cell::Integer(-1_500));
        assert_eq!(time.into_cell(Precision::Ns), Cell::Integer(-1_500_000_000));
        let short = Raw::from_sql(&Type::FLOAT4, &0.1f32.to_be_bytes()).unwrap();
        assert_eq!(short, Raw::Cell(Cell::Float(0.1)));
        assert!(Raw::from_sql(&Type::POINT, &[]).is_err());
    }
}
